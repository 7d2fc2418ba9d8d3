// The pages are written for GitHub. This makes them mean the same here: links between files, the anchors of
// headings, what is HTML and what is not, pictures for the dark theme, and tabs.
import { posix } from 'node:path'
import { isHTMLTag, isSVGTag } from '@vue/shared'

// slug is the anchor that GitHub gives to a heading.
export const slug = (text) =>
  text.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')

const isExternal = (link) => /^([a-z][a-z+.-]*:|\/\/)/i.test(link)

// resolver turns links of a page, by its path in the repository, into links of the site.
const resolver = (site) => (page, link) => {
  if (isExternal(link) || link.startsWith('#')) return link
  const [, path, anchor] = link.match(/^([^#]*)(.*)$/)
  const file = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '')
  const target = site.pages[file] ?? site.pages[posix.join(file, 'README.md')]
  if (target !== undefined) return '/' + target.replace(/(^|\/)index\.md$/, '$1') + anchor
  return `${site.repository}/${site.directories.includes(file) ? 'tree' : 'blob'}/main/${file}${anchor}`
}

// asText turns tags that HTML does not have, such as <name>, into text.
const tag = /<\/?([a-zA-Z][\w-]*)[^>]*>/g
const asText = (html) =>
  html.startsWith('<!--')
    ? html
    : html.replace(tag, (all, name) =>
        isHTMLTag(name.toLowerCase()) || isSVGTag(name) ? all : all.replace('<', '&lt;').replace('>', '&gt;'))

// bothThemes turns one picture with a source for the dark theme into two, because visitors can choose the theme.
const source = /<source\s(?=[^>]*prefers-color-scheme:\s*dark)[^>]*srcset="([^"]+)"[^>]*>/.source
const picture = new RegExp(`<picture>\\s*${source}\\s*<img\\s([^>]*)>\\s*</picture>`, 'g')
const bothThemes = (html) =>
  html.replace(picture, (_, dark, img) =>
    `<img class="light-only" ${img}><img class="dark-only" ${img.replace(/src="[^"]+"/, `src="${dark}"`)}>`)

// Vue takes a relative address of a picture for a file of the site only with a dot before it.
const relative = (link) => (isExternal(link) || /^[./]/.test(link) ? link : './' + link)

// toTabs turns the text between <!-- tabs --> and <!-- /tabs --> into tabs: each begins with its name, bold and
// alone in a paragraph.
function toTabs(state) {
  let inside = false
  let tabs = 0
  const out = []
  const html = (content) => out.push(Object.assign(new state.Token('html_block', '', 0), { content }))
  for (let i = 0; i < state.tokens.length; i++) {
    const token = state.tokens[i]
    const comment = token.type === 'html_block' && token.content.trim()
    const name = inside && token.type === 'paragraph_open' && nameOfTab(state.tokens[i + 1])
    if (comment === '<!-- tabs -->') {
      inside = true
      tabs = 0
      html('<PluginTabs sharedStateKey="language">')
    } else if (comment === '<!-- /tabs -->') {
      inside = false
      html((tabs ? '</PluginTabsTab>' : '') + '</PluginTabs>')
    } else if (name) {
      html((tabs++ ? '</PluginTabsTab>' : '') + `<PluginTabsTab label="${state.md.utils.escapeHtml(name)}">`)
      i += 2
    } else {
      out.push(token)
    }
  }
  if (inside) throw new Error(`${state.env.relativePath}: <!-- tabs --> without <!-- /tabs -->`)
  state.tokens = out
}

function nameOfTab(inline) {
  const children = inline.children.filter((child) => child.content || child.type !== 'text')
  const isName = children.length === 3 && children[0].type === 'strong_open' && children[2].type === 'strong_close'
  return isName && children[1].content
}

export function github(md, site) {
  const resolve = resolver(site)
  const sources = Object.fromEntries(Object.entries(site.pages).map(([source, page]) => [page, source]))
  const html = (page, content) =>
    bothThemes(asText(content))
      .replace(/\b(src|srcset)="([^"]*)"/g, (_, name, link) => `${name}="${relative(link)}"`)
      .replace(/\bhref="([^"]*)"/g, (_, link) => {
        const resolved = resolve(page, link)
        const inSite = resolved.startsWith('/') && !resolved.startsWith('//')
        return `href="${inSite ? site.base.slice(0, -1) + resolved.replace(/\.md(?=#|$)/, '.html') : resolved}"`
      })
  const each = (page, tokens) => {
    for (const token of tokens) {
      if (token.type === 'html_block' || token.type === 'html_inline') token.content = html(page, token.content)
      if (token.type === 'link_open') token.attrSet('href', resolve(page, token.attrGet('href')))
      if (token.children) each(page, token.children)
    }
  }
  md.core.ruler.push('github', (state) => {
    each(sources[state.env.relativePath], state.tokens)
    toTabs(state)
  })
  // Braces are text, not expressions of Vue.
  const render = md.renderer.render
  md.renderer.render = (...args) => render.apply(md.renderer, args).replaceAll('{{', '&#123;&#123;')
}
