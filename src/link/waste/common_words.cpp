#include "link/waste/common_words.h"

#include <string_view>

#include "link/waste/words.h"

namespace xtrace {

namespace {

constexpr std::string_view kWords =
    "able about above across active actually added adds after again against alias almost "
    "alone along already also although always among another answer answers anything anyway "
    "apart append args argument arguments around array aside asked assert async attribute "
    "available await away back base based basic became because become been before began "
    "begin behind being believe below besides best better between beyond body bool boolean "
    "both bottom branch break bring build built byte bytes cache call called calling calls "
    "came cannot care case cases catch cause certain change changed changes changing char "
    "check checked checking checks class clean clear clearly close code come comes coming "
    "command commands comment commit common complete completely concern condition config "
    "configuration confirm consider const constant contain contained contains content "
    "context continue copy correct correctly could count couple course cover covered "
    "covers create created creates creating current currently data deal debug decide deep "
    "default define defined definition delete deleted detail details dict different "
    "directly directory disable disabled display document does doesn doing done down "
    "during each earlier early easily easy either elif else empty enable enabled enough "
    "ensure entire entries entry enum error errors especially even event ever every "
    "everything exact exactly example except exception execute execution exist existing "
    "exists exit expect expected explain export extend extra fact fail failed fails fall "
    "false fast field fields file filename files filter final finally find finding fine "
    "first fixed fixes flag float folder follow following follows form format found from "
    "full fully function functions further gave general gets getting give given gives "
    "giving global goes going gone good great half hand handle handled handles handling "
    "happen happens hard have having head help helper helpful helps hence here high hold "
    "hook hooks however idea immediately implement import important imported imports "
    "include index info init initial initialize input inputs inside instance instead "
    "integer interface internal into issue issues item items itself json just keep keeps "
    "kept keyword kind know known label large last later least leave left length less "
    "level library like likely limit line lines list little live load loaded loading local "
    "lock logic long longer look looking looks loop made main make makes making many match "
    "matches matter maybe mean means meant message messages method methods might mind miss "
    "missing mode model module modules more most move moved much must name named namely "
    "names near nearly need needed needs never newer next nice none note nothing notice "
    "null number numbers object objects obvious occur often okay once ones only open "
    "operation option optional options order original other others otherwise output "
    "outputs over overall override package param parameter parameters params parent parse "
    "parser part particular parts pass passed passes passing password past patch path "
    "pattern perfect perform perhaps pipe place plain please point pointer points possible "
    "possibly potential potentially prefer prefix present pretty previous previously print "
    "private probably problem problems process processing product program project prompt "
    "proper properly properties property provide provided provides public purpose push "
    "query question queue quick quickly quite raise random range rather read reading ready "
    "real really reason recent reference regex register related release remain remains "
    "remove removed removes removing replace report request requests require required "
    "requires reset response rest result resulting results return returned returning "
    "returns right root route rule rules runs same save saved says script search section "
    "seem seems seen select self sense separate sequence sequential server session setting "
    "settings setup several shall short should show showing shown shows side similar "
    "simple simply since single size skip slightly small some something sometimes soon "
    "sorry sort source space specific split stack stand standard start started starting "
    "starts state static status stay step steps still stop store stream string strings "
    "struct structure style such suffix suggest summary super support sure switch syntax "
    "system table take taken takes taking target task tell tells temp template test tested "
    "testing tests text than thank thanks that their them themselves then there therefore "
    "these they thing things think this those though thread three through throw thus time "
    "times title together token tokens told took tool tools total toward trace tree tried "
    "true truly tuple turn turns twice type typeof typical uint undefined under understand "
    "unique unit unknown unless until update updated updates updating upon used useful "
    "user users uses using usual usually valid validate value values variable variables "
    "various verify version very view void wait want wants warn warning watch week well "
    "went were what whatever when where whether which while whole whose will wish with "
    "within without wonder word words work worked working works worth would write writes "
    "writing written wrong year yield your ";

}  // namespace

bool is_common(uint64_t word) {
  static const WordSet common = [] {
    std::vector<uint64_t> names;
    add_words(kWords, names);
    return WordSet(std::move(names));
  }();
  return common.contains(word);
}

}  // namespace xtrace
