/** Limits of the service (contract §4.1, §5.2, §9) and of what is read from one file. Lengths are in code points, sizes in bytes. */
export const sourceLimits = {
  titleLength: 300,
  excerptLength: 1000,
  seoTitleLength: 300,
  seoDescriptionLength: 1000,
  urlLength: 2048,
  contentBytes: 1024 * 1024,
  tags: 50,
  tagLength: 80,
  /** A post keeps one; the others come into being beside it. */
  authors: 50,
  categories: 50,
  authorNameLength: 300,
  authorEmailLength: 254,
  authorBioLength: 10_000,
  categoryLength: 200,
  /** Far above any front matter written by hand; keeps the parsers' worst cases short. */
  frontMatterBytes: 256 * 1024,
  /** More than the longest content and the longest front matter have together: a larger file is refused unread. */
  fileBytes: 2 * 1024 * 1024,
  /** Values in one front matter, aliases unfolded: an alias bomb ends here. */
  values: 50_000,
  depth: 100,
} as const
