import { type ProblemCode, problems } from '../../values/problems.ts'
import type { ByName, Example } from '../openapi/openapi-types.ts'
import { problemMeanings } from '../openapi/problem-meanings.ts'
import { type Html, html, inline, json } from './html.ts'

const codes = Object.keys(problems) as ProblemCode[]

/** Every problem with what it means, what to do, and an answer that has it. */
export function problemSection(examples: ByName<Example>): Html {
  return html`<section id="problems"><h2>Problems</h2>
<p>Whatever goes wrong is answered as <code>application/problem+json</code> (RFC 9457): a <a href="#shape-Problem">Problem</a> whose <code>code</code> is one of these.</p>
${codes.map(
  (
    code,
  ) => html`<section class="problem" id="problem-${code}"><h3><b>${problems[code].status}</b> <a href="#problem-${code}"><code>${code}</code></a></h3>
<p>${inline(problemMeanings[code].when)}</p><p class="remedy">${inline(problemMeanings[code].remedy)}</p>${example(examples[code])}</section>`,
)}
</section>`
}

function example(given: Example | undefined): Html | undefined {
  return given && html`<details><summary>An answer</summary><pre tabindex="0"><code>${json(given.value)}</code></pre></details>`
}
