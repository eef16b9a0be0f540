# spindle_room(NAME [DEPENDS ROOM...] [LIBRARIES TARGET...])
# Makes an OBJECT library of every .cpp below NAME/ (main.cpp apart). A new file is picked up by itself. What users of a
# room need (includes, libraries) is in spindle_NAME_usage, so that objects are linked once, by spindle_link_rooms.
set_property(GLOBAL PROPERTY SPINDLE_ROOMS "")
# Large headers that most sources include anyway; each source still includes what it uses.
set(SPINDLE_PRECOMPILED <algorithm> <chrono> <filesystem> <functional> <map> <memory> <mutex> <optional> <string>
  <string_view> <vector> <fmt/format.h> <spdlog/spdlog.h>)

function(spindle_room NAME)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES" ${ARGN})
  set(ROOM_NAMES ${ROOM_DEPENDS})
  list(TRANSFORM ROOM_DEPENDS REPLACE "(.+)" "spindle_\\1_usage")
  add_library(spindle_${NAME}_usage INTERFACE)
  target_include_directories(spindle_${NAME}_usage INTERFACE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(spindle_${NAME}_usage INTERFACE spindle_compiler ${ROOM_LIBRARIES} ${ROOM_DEPENDS})

  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${NAME}/*.cpp")
  list(FILTER SOURCES EXCLUDE REGEX "/main\\.cpp$")
  add_library(spindle_${NAME} OBJECT ${SOURCES})
  target_compile_definitions(spindle_${NAME} PRIVATE SPINDLE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(spindle_${NAME} PRIVATE spindle_${NAME}_usage)
  # Every room sees core's libraries, so one precompiled header serves all but cli, whose parser alone is as large again.
  if(NAME STREQUAL "core")
    target_precompile_headers(spindle_core PRIVATE ${SPINDLE_PRECOMPILED})
  elseif(NAME STREQUAL "cli")
    target_precompile_headers(spindle_cli PRIVATE ${SPINDLE_PRECOMPILED} <CLI/CLI.hpp>)
  else()
    target_precompile_headers(spindle_${NAME} REUSE_FROM spindle_core)
  endif()
  set(CLOSURE ${NAME})
  foreach(ROOM IN LISTS ROOM_NAMES)
    get_property(BELOW GLOBAL PROPERTY SPINDLE_ROOMS_OF_${ROOM})
    list(APPEND CLOSURE ${BELOW})
  endforeach()
  list(REMOVE_DUPLICATES CLOSURE)
  set_property(GLOBAL PROPERTY SPINDLE_ROOMS_OF_${NAME} ${CLOSURE})
  set_property(GLOBAL APPEND PROPERTY SPINDLE_ROOMS ${NAME})
endfunction()

# Links the objects of a room and of all that it depends on into TARGET; without a room, those of every room.
function(spindle_link_rooms TARGET)
  get_property(ROOMS GLOBAL PROPERTY SPINDLE_ROOMS)
  if(ARGC GREATER 1)
    get_property(ROOMS GLOBAL PROPERTY SPINDLE_ROOMS_OF_${ARGV1})
  endif()
  foreach(ROOM IN LISTS ROOMS)
    target_link_libraries(${TARGET} PRIVATE spindle_${ROOM} spindle_${ROOM}_usage)
  endforeach()
endfunction()
