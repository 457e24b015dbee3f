import { render } from 'preact'
import { openSession } from './api/session.ts'
import { loadCatalogue } from './i18n/catalogue.ts'
import { address, followLinks } from './route/router.ts'
import { App } from './shell/app.tsx'
import { screenAt } from './shell/screens.ts'
import { listenForKeys } from './ui/commands.ts'

followLinks()
listenForKeys()
// All that the first screen needs is asked for at once. What fails is asked for again where it is missed.
void screenAt(address.peek().parts.slice(2))
  ?.screen.load()
  .catch(() => undefined)
await Promise.all([loadCatalogue(), openSession().catch(() => undefined)])
const root = document.getElementById('studio')
if (root) render(<App />, root)
