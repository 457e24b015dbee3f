import { hot } from '../hot.js'

export const question = 'How fast is one post by slug, again and again?'
export const target = '≥ 0.75 of the floor with its bytes'
export const aims = [{ row: 'without log', figure: 'ratio', atLeast: 0.75 }]
export const run = () => hot('/v1/posts/post-number-0-what-became-of-subject-0')
