import { hot } from '../hot.js'

export const question = 'How fast is a revalidation answered 304?'
export const target = '≥ 0.75 of a bare 304; ≥ 0.55 with the log'
export const aims = [
  { row: 'without log', figure: 'ratio', atLeast: 0.75 },
  { row: 'with log', figure: 'ratio', atLeast: 0.55 },
]
export const run = () => hot('/v1/posts', ({ headers }) => ({ 'if-none-match': headers.etag }))
