import { hot } from '../hot.js'

export const question = 'How fast is the same list again, 20 posts of 2 KB?'
export const target = '≥ 0.80 of the floor; ≥ 0.65 with a log line per request'
export const aims = [
  { row: 'without log', figure: 'ratio', atLeast: 0.8 },
  { row: 'with log', figure: 'ratio', atLeast: 0.65 },
]
export const run = () => hot('/v1/posts')
