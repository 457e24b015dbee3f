import { render } from 'preact'
import { loadCatalogue } from './i18n/catalogue.ts'
import { followLinks } from './route/router.ts'
import { App } from './shell/app.tsx'
import { listenForKeys } from './ui/commands.ts'

followLinks()
listenForKeys()
await loadCatalogue()
const root = document.getElementById('studio')
if (root) render(<App />, root)
