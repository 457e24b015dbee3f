/** The whole style of the page at `/docs`; its hash stands in the page's policy. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --paper: #fdfcfa; --ink: #23211e; --quiet: #6b655c; --line: #e4dfd6; --panel: #f5f2ec; --link: #1d5a8a;
  --get: #1f6f4a; --post: #8a5a0b; --patch: #6a4a9c; --delete: #a5342c; --mark: #fff3c9;
  --text: Charter, "Bitstream Charter", "Iowan Old Style", "Palatino Linotype", Georgia, serif;
  --plain: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --code: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --ink: #e6e1d8; --quiet: #a39b8e; --line: #35322d; --panel: #211f1c; --link: #8fc1ea;
    --get: #7cc9a0; --post: #dcb063; --patch: #bda2ea; --delete: #ee9189; --mark: #3d3416;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--text); overflow-wrap: anywhere; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1, h2, h3, h4 { font-family: var(--plain); line-height: 1.25; margin: 0; }
h1 { font-size: 2.5rem; letter-spacing: -0.02em; }
h2 { font-size: 1.6rem; padding-top: 2.5rem; border-top: 1px solid var(--line); margin-top: 3.5rem; }
h3 { font-size: 1.15rem; }
h4 { font-size: 0.8rem; color: var(--quiet); margin: 1.4rem 0 0.4rem; font-weight: 600; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
p { margin: 0.6rem 0; max-width: 42rem; }
ul { margin: 0; padding: 0; list-style: none; }
code, pre { font-family: var(--code); font-size: 0.85em; }
p code, li code, dd code { background: var(--panel); border-radius: 0.2em; padding: 0.1em 0.2em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.8rem 1rem; margin: 0.6rem 0; overflow: auto; max-height: 28rem; line-height: 1.5; font-size: 0.8rem; overflow-wrap: normal; }
pre code { font-size: inherit; }
aside > pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre b { font-weight: normal; color: var(--link); }
small, .quiet, dt span { font-family: var(--plain); font-size: 0.8rem; color: var(--quiet); }
.lead { font-size: 1.15rem; color: var(--quiet); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem; z-index: 1; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }

nav { font: 0.85rem/1.45 var(--plain); border-bottom: 1px solid var(--line); background: var(--panel); padding: 0.8rem 1.2rem; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav p { margin: 0 0 0.3rem; font-size: 1rem; }
nav > ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
nav ul ul { display: none; }
main { padding: 1.5rem 1.2rem 5rem; min-width: 0; }

article { margin-top: 2.5rem; padding-top: 0.4rem; }
article aside { min-width: 0; }
article > div { min-width: 0; }
.route { font-size: 1.05rem; }
.route b { font: 700 0.8rem var(--code); margin-right: 0.2rem; }
.route code { background: none; padding: 0; }
.scope { font: 0.75rem var(--code); color: var(--quiet); border: 1px solid var(--line); border-radius: 1rem; padding: 0.1rem 0.6rem; margin-left: 0.4rem; white-space: nowrap; }
dl { margin: 0.3rem 0; max-width: 46rem; }
dt { margin-top: 0.6rem; }
dt > code { font-weight: 600; margin-right: 0.3rem; }
small code { white-space: nowrap; }
dd { margin: 0 0 0 1rem; font-size: 0.95rem; }
details { margin: 0.3rem 0; }
dd details { border-left: 2px solid var(--line); padding-left: 0.8rem; }
summary { font: 0.8rem var(--plain); color: var(--quiet); cursor: pointer; }
.answers b, .problems b, .problem h3 b { font: 600 0.8rem var(--code); margin-right: 0.4rem; color: var(--quiet); }
.problems { font: 0.78rem/1.7 var(--code); }
.problems li { display: inline-block; margin-right: 0.9rem; }
.problems a { text-decoration: none; margin-right: 0.3rem; }
.problems a:hover { text-decoration: underline; }
.shape, .problem { margin-top: 2rem; }
.problem p { margin: 0.2rem 0; }
.remedy { color: var(--quiet); }
:target > h3, :target > div > h3, dt:target { background: var(--mark); box-shadow: 0 0 0 0.3rem var(--mark); }

@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); padding: 1.5rem 1.2rem; }
  nav > ul { display: block; }
  nav > ul > li { margin-top: 0.7rem; font-weight: 600; }
  nav ul ul { display: block; font-weight: normal; }
  nav ul ul li { margin-top: 0.25rem; }
  nav ul ul a { display: grid; grid-template-columns: 3.2rem 1fr; align-items: baseline; }
  nav ul ul b { font: 600 0.65rem var(--code); }
  main { padding: 2.5rem 3rem 8rem; max-width: 84rem; }
}
@media (min-width: 75rem) {
  article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 2.5rem; }
  aside { position: sticky; top: 1rem; align-self: start; }
  aside > :first-child { margin-top: 2.2rem; }
}
@media print { nav { display: none; } pre { max-height: none; } }
`
