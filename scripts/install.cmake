# What `cmake --install` puts where, and the .deb that scripts/package makes of it.
set(authors "The xtrace authors <xtrace@example.org>")

# The program writes its own completions, so it must be able to run here.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT completion.${shell}
      COMMAND xtrace completion ${shell} > completion.${shell}
      DEPENDS xtrace)
    list(APPEND packed completion.${shell})
  endforeach()
  install(FILES ${CMAKE_BINARY_DIR}/completion.bash RENAME xtrace
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/completion.zsh RENAME _xtrace
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${CMAKE_BINARY_DIR}/completion.fish RENAME xtrace.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Debian wants a changelog of its own form, and both packed. gzip -n: no time stamp, equal bytes; and "now"
# is SOURCE_DATE_EPOCH where that is set.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT changelog CONTENT "xtrace (@PROJECT_VERSION@) unstable; urgency=medium

  * CHANGELOG.md says what is new.

 -- @authors@  @now@
" @ONLY)
add_custom_command(OUTPUT xtrace.1.gz changelog.gz
  COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/man/xtrace.1 > xtrace.1.gz
  COMMAND gzip -9nc changelog > changelog.gz
  DEPENDS ${CMAKE_SOURCE_DIR}/man/xtrace.1 ${CMAKE_BINARY_DIR}/changelog)
add_custom_target(packed ALL DEPENDS xtrace.1.gz changelog.gz ${packed})

install(TARGETS xtrace)
install(FILES ${CMAKE_BINARY_DIR}/xtrace.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz README.md CHANGELOG.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(XTRACE_STATIC)
  install(FILES build/archives/THIRD-PARTY DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY scripts/dist/claude-plugin DESTINATION ${CMAKE_INSTALL_DATADIR}/xtrace)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${authors})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Reads logs of model calls, links what belongs together (tool use to tool
result, parent to subagent, one turn to the next) and says, with evidence, what
happened and why. No network, no server.")
include(CPack)
