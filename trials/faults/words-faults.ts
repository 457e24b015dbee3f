import type { Fault } from './fault.ts'

export const wordsFaults: readonly Fault[] = [
  {
    name: 'nosniff-forgotten',
    file: 'src/http/response/security-headers.ts',
    replace: ["  'x-content-type-options': 'nosniff',\n", ''],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'problems-unreadable-for-web-pages',
    file: 'src/http/response/problem-response.ts',
    replace: ['found.status === 401 || mayComeFromWebPage(request.raw)', 'found.status === 401'],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'secret-keys-readable-for-web-pages',
    file: 'src/http/request/authentication.ts',
    replace: ["if (request.authenticated.caller.kind === 'public') allowAnyOrigin(reply)", 'allowAnyOrigin(reply)'],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'problems-kept-by-caches',
    file: 'src/http/response/problem-response.ts',
    replace: ["  if (problem.status >= 400) reply.header('cache-control', 'no-store')\n", ''],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'secret-answers-kept-by-shared-caches',
    file: 'src/http/response/responses.ts',
    replace: ["kind === 'public' ? `public", "kind !== 'operator' ? `public"],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'link-without-limit',
    file: 'src/http/response/list-response.ts',
    replace: ['link === undefined || link.length > left', 'link === undefined'],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'parser-refuses-bare',
    file: 'src/http/connection/client-errors.ts',
    replace: ['...Object.entries({ ...securityHeaders, ...corsHeaders })', '...Object.entries({ ...corsHeaders })'],
    caughtBy: 'answers-carry-their-headers',
    size: 'test',
  },
  {
    name: 'exponential-expression',
    file: 'src/import/markdown/post-fields/title.ts',
    replace: ['/^ {0,3}=+$/', '/^ {0,3}(=+)+$/'],
    caughtBy: 'regular-expressions-are-linear',
  },
  {
    name: 'exponential-expression-built-from-text',
    file: 'src/http/response/problem-response.ts',
    replace: ["'[^/]+')}$`)", "'([^/]+)+')}$`)"],
    caughtBy: 'regular-expressions-are-linear',
  },
  {
    name: 'tool-of-development-loaded',
    file: 'src/values/letters/closest-name.ts',
    replace: ['const maxLength = 64', "import 'standardwebhooks'\n\nconst maxLength = 64"],
    caughtBy: 'what-it-is-built-on',
  },
]
