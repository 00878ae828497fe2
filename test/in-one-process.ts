/** The test files of the folders that reach no server and no database. */
export const IN_ONE_PROCESS =
  'src/{admission,alerts,channels,commands,dashboard,engine,incidents,limits,notices,oncall,resources,rules,shifts,terraform,what-if,workers}/**/*.test.ts';
