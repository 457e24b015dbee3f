// npm run bench [-- name …] [-- --large]: answers the questions in bench/questions/, prints a table and writes bench/results/<name>.json.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'

const args = process.argv.slice(2)
const large = args.includes('--large')
const wanted = args.filter((arg) => !arg.startsWith('--'))
const folder = new URL('./questions/', import.meta.url)
const names = (await readdir(folder)).map((file) => file.replace(/\.js$/, '')).sort()
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`There is no question ${unknown.join(', ')}; there are ${names.join(', ')}.`)

const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
console.log(`${machine}, ${new Date().toISOString().slice(0, 10)}\n`)
await mkdir(new URL('./results/', import.meta.url), { recursive: true })
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const { question, target, run } = await import(new URL(`${name}.js`, folder))
  console.log(`${name}: ${question}\n  target: ${target}`)
  const figures = await run({ large })
  console.table(figures)
  const result = { name, question, target, machine, date: new Date().toISOString(), large, figures }
  await writeFile(new URL(`./results/${name}.json`, import.meta.url), `${JSON.stringify(result, null, 2)}\n`)
}
