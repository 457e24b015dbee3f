/** The body of a file that opens with front matter, found without the service: what follows the second line that is a fence. */
export function bodyOf(file: Buffer): Buffer {
  const fence = /^(---|\+\+\+)[a-z]*\s*$/
  let fences = 0
  for (let start = 0; start < file.length && fences < 2; ) {
    const end = file.indexOf('\n', start) < 0 ? file.length : file.indexOf('\n', start) + 1
    if (fence.test(file.subarray(start, end).toString('utf8').replace('\uFEFF', ''))) fences += 1
    if (fences === 2) return file.subarray(end)
    start = end
  }
  return Buffer.alloc(0)
}
