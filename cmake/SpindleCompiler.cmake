# Language level, warnings and sanitizers, for every target alike.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(SPINDLE_CCACHE ccache)
if(SPINDLE_CCACHE)
  # The sloppiness is what ccache asks for to cache sources that use a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SPINDLE_CCACHE})
endif()

option(SPINDLE_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
set(SPINDLE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address,undefined or thread")

add_library(spindle_compiler INTERFACE)
target_compile_options(spindle_compiler INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wformat=2 $<$<BOOL:${SPINDLE_WARNINGS_AS_ERRORS}>:-Werror>)
if(SPINDLE_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(spindle_compiler INTERFACE -fpch-preprocess)
endif()
# GCC 12 sees overlapping and endless copies in inlined std::string code (its bugs 105651 and 105329), and GCC with a
# sanitizer sees uninitialised variables in std::regex.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(spindle_compiler INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND SPINDLE_SANITIZE)
  target_compile_options(spindle_compiler INTERFACE -Wno-maybe-uninitialized)
endif()
if(SPINDLE_SANITIZE)
  target_compile_options(spindle_compiler INTERFACE -fsanitize=${SPINDLE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(spindle_compiler INTERFACE -fsanitize=${SPINDLE_SANITIZE})
endif()
