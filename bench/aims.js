// What was aimed at: { row, figure, atLeast } or { row, figure, atMost }. A row that only the large part has is not judged in the short one.

/** Each aim with what became of it. */
export function judge(aims, figures) {
  return aims
    .filter(({ row }) => figures[row] !== undefined)
    .map(({ row, figure, atLeast, atMost }) => {
      const value = figures[row][figure]
      const met = atLeast === undefined ? value <= atMost : value >= atLeast
      return { row, figure, value, aim: atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`, outcome: met ? 'met' : 'missed' }
    })
}

/** A table of them all, as README.md takes it. */
export function summaryOf(judged) {
  const rows = judged.map(({ question, row = '', figure = '', value = '', aim = '', outcome }) => [
    question,
    row,
    figure,
    value.toLocaleString('en'),
    aim,
    outcome,
  ])
  return table([['question', 'of what', 'figure', 'value', 'aim', ''], ...rows])
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  const [head, ...body] = rows.map(line)
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}
