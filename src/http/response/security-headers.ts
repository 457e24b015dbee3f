/**
 * Of every response, also of those that are written before there is a request object. A browser does not guess another type, sends no address on,
 * and lends no response to a page of another origin as a picture or script. Reading by CORS is not affected.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const
