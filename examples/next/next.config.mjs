/** The links of Verso's preview tokens lead to the post; whoever has a token goes on to the draft. */
export default {
  redirects: () => [
    {
      source: '/posts/:slug',
      has: [{ type: 'query', key: 'preview_token', value: '(?<token>.+)' }],
      destination: '/draft?slug=:slug&preview_token=:token',
      permanent: false,
    },
  ],
}
