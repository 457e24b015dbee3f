/**
 * Whether a path is what a pattern of a configuration names, or below it. `*` and `**` stand for any text: a scope that is too wide keeps
 * back too much, one that is too narrow too little. So what follows a bracket does not matter either.
 */
export function isInScope(path: string, pattern: string): boolean {
  const [plain = '', ...more] = pattern.replace(/(?<!\/)\/+$/, '').split(/[[{]/)
  const wanted = more.length > 0 ? `${plain}*` : plain
  return wanted === '' || matches(path, wanted) || matches(path, `${wanted}/*`)
}

/** Goes back to the last star alone, so that it takes the product of both lengths at most. */
function matches(text: string, pattern: string): boolean {
  let [at, star, resume] = [0, -1, 0]
  for (let i = 0; i < text.length; ) {
    if (pattern[at] === '*') {
      star = at
      resume = i
      at += 1
    } else if (pattern[at] === '?' || pattern[at] === text[i]) {
      at += 1
      i += 1
    } else if (star >= 0) {
      at = star + 1
      resume += 1
      i = resume
    } else return false
  }
  return /^\**$/.test(pattern.slice(at))
}
