import { render } from 'preact'

const root = document.getElementById('studio')
if (root) render(<h1>Verso</h1>, root)
