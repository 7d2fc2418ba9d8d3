import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { github, slug } from './github.mjs'

// Written by tests/site: the pages, the sidebar from docs/README.md, and the path at the host.
const site = JSON.parse(readFileSync(new URL('./site.json', import.meta.url), 'utf8'))

export default defineConfig({
  title: 'mixedkube',
  description: site.description,
  lang: 'en',
  base: site.base,
  head: [['link', { rel: 'icon', href: site.base + 'icon.svg' }]],
  // The links are checked in the pages as built: anchors, and files of the repository, too.
  ignoreDeadLinks: true,
  markdown: {
    anchor: { slugify: slug },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { console: 'shellsession' },
    config: (md) => github(md, site),
  },
  transformPageData: (page) =>
    site.generated.includes(page.relativePath) ? { frontmatter: { ...page.frontmatter, editLink: false } } : undefined,
  // The search downloads its index when it is opened.
  vite: { build: { chunkSizeWarningLimit: 5000 } },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    sidebar: site.sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // A page must contain all words. MK118 does not stand for MK119.
            combineWith: 'AND',
            fuzzy: (term) => (/\d/.test(term) ? false : 0.2),
          },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: site.repository }],
    editLink: {
      // VitePress writes this function into the page: it sees nothing from outside.
      pattern: ({ filePath }) =>
        'https://github.com/mixedkube/mixedkube/edit/main/' + filePath.replace(/(^|\/)index\.md$/, '$1README.md'),
      text: 'Edit this page on GitHub',
    },
  },
})
