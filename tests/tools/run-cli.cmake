# SPDX-License-Identifier: Apache-2.0
# Runs WEFT with ARGUMENTS; checks its exit status and what it prints.
execute_process(COMMAND ${WEFT} ${ARGUMENTS}
  OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
if(NOT status STREQUAL STATUS)
  message(FATAL_ERROR "exit status ${status}, expected ${STATUS}:\n${text}")
endif()
if(NOT text MATCHES "${OUTPUT}")
  message(FATAL_ERROR "expected ${OUTPUT}, found:\n${text}")
endif()
