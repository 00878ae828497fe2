/** The tokens of all pages as mail programs know colours: light, then dark. */
export const mailColors = {
  bg: ['#fbfaf8', '#0d0e12'],
  surface: ['#ffffff', '#14161a'],
  line: ['#e1dfdc', '#292b30'],
  ink: ['#181a20', '#eff0f3'],
  ink2: ['#4f525b', '#b5b7bd'],
  ink3: ['#686c74', '#93959c'],
  iris: ['#504bd1', '#a3a9f9'],
  red: ['#c7181d', '#fc7a73'],
  amber: ['#945e08', '#f0b648'],
  green: ['#0d7a46', '#57d793'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;
