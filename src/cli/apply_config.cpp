#include "cli/apply_config.h"

#include <algorithm>
#include <cstdlib>

#include "base/overloaded.h"

namespace xtrace {

void apply_config(const Config& config, const OptionList& options,
                  const std::vector<std::string>& given) {
  for (const OptionSpec& spec : options.specs()) {
    for (size_t i = 0; i < config.values().size(); ++i) {
      const Configured& value = config.values()[i];
      if (value.is_default || config_keys()[i].option != spec.long_name()) continue;
      bool is_given = std::find(given.begin(), given.end(), config_keys()[i].option) != given.end();
      std::visit(Overloaded{// The one there is says the opposite; see redacts_personal().
                            [](bool*) {},
                            [&](std::string* text) {
                              if (!is_given)
                                *text = value.texts.empty() ? value.value : value.texts.front();
                            },
                            [&](double* number) {
                              if (!is_given) *number = std::strtod(value.value.c_str(), nullptr);
                            },
                            [&](std::vector<std::string>* texts) {
                              texts->insert(texts->begin(), value.texts.begin(), value.texts.end());
                            }},
                 spec.target);
    }
  }
}

}  // namespace xtrace
