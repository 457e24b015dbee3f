import { EditorView } from '@codemirror/view'

const panel = { color: 'var(--ink)', background: 'var(--raised)', border: '1px solid var(--line)', borderRadius: 'var(--radius)' }

/** The look of the text. Its values are those of the tokens, which reach into the shadow root. */
export const theme = EditorView.theme({
  '&': { fontSize: 'var(--reading)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--typeface)', lineHeight: '1.7', overflow: 'visible' },
  '.cm-content': { padding: '0 0 40vh', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--mark)' },
  '.cm-placeholder': { color: 'var(--soft)' },

  '.md-h1, .md-h2, .md-h3, .md-h4': { fontWeight: '650', letterSpacing: '-0.012em', lineHeight: '1.35', paddingTop: '0.5em' },
  '.md-h1': { fontSize: '1.55em' },
  '.md-h2': { fontSize: '1.3em' },
  '.md-h3': { fontSize: '1.12em' },
  '.md-strong': { fontWeight: '650' },
  '.md-emphasis': { fontStyle: 'italic' },
  '.md-struck': { textDecoration: 'line-through' },
  '.md-markup': { color: 'var(--edge)', fontWeight: '400' },
  '.md-link': { color: 'var(--accent)', textDecoration: 'underline', textUnderlineOffset: '0.18em', textDecorationThickness: '1px' },
  '.md-url': { color: 'var(--soft)', fontSize: '0.85em' },
  '.md-code': { fontFamily: 'var(--code)', fontSize: '0.86em', background: 'var(--hover)', borderRadius: '0.25em', padding: '0.1em 0' },
  '.md-code-line': { fontFamily: 'var(--code)', fontSize: '0.84em', background: 'var(--ground)', lineHeight: '1.6', paddingLeft: '1rem' },
  '.md-quote': { color: 'var(--soft)', borderInlineStart: '2px solid var(--line)', paddingInlineStart: '1rem' },
  '.md-image[hidden]': { display: 'none' },
  '.md-image': { display: 'block', padding: '0.5rem 0', lineHeight: '0' },
  '.md-image img': { maxWidth: '100%', maxHeight: '26rem', borderRadius: 'var(--radius)' },

  '.cm-panels': { position: 'sticky', top: '3.25rem', zIndex: '2', background: 'transparent', color: 'var(--ink)', border: '0' },
  '.cm-panels-top': { borderBottom: '0' },
  '.cm-panel.cm-search': { ...panel, padding: '0.5rem 2rem 0.5rem 0.5rem', fontSize: 'var(--small)', margin: '0 0 1rem' },
  '.cm-panel.cm-search :is(label, [name=close])': { minWidth: '24px', minHeight: '24px' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '0.25rem', whiteSpace: 'normal' },
  '.cm-textfield, .cm-button, .cm-panel.cm-search label': { fontSize: 'var(--small)', verticalAlign: 'middle' },
  '.cm-textfield': { ...panel, borderColor: 'var(--edge)', background: 'var(--paper)', padding: '0.25rem 0.5rem', maxWidth: '100%' },
  '.cm-button': { ...panel, backgroundImage: 'none', background: 'var(--hover)', padding: '0.25rem 0.625rem' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--soft)', fontSize: '1.25rem', top: '0.25rem', right: '0.5rem' },
  '.cm-searchMatch': { background: 'var(--mark)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  '.cm-tooltip': { ...panel, boxShadow: 'var(--shadow)', overflow: 'hidden' },
  // It is made less high where there is little room: its list then scrolls.
  '.cm-tooltip.cm-tooltip-autocomplete': { display: 'flex', flexDirection: 'column' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--typeface)',
    fontSize: 'var(--text)',
    minHeight: '0',
    maxHeight: '17em',
    padding: '0.25rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.75rem', borderRadius: '0.375rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--ink)', background: 'var(--chosen)' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal', marginLeft: '1rem' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650' },
})
