import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const LINK = /\]\(([^()\s]+)\)/g;
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

/** Links of a page into the tree, as paths from its root. */
function linksOf(page) {
  return [...read(page).matchAll(LINK)]
    .map(([, target]) => target.split('#')[0])
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(page), decodeURI(target))));
}

describe('the documentation', () => {
  it('leads nowhere that is not there', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page).flatMap((target) => (existsSync(join(ROOT, target)) ? [] : [`${page}: ${target}`])),
    );
    expect(broken).toEqual([]);
  });

  it.each([
    ['README.md', 'connecting an agent', /claude mcp add|mcpServers|MCP client/i],
    ['README.md', 'the tools', /docs\/guides\/write-a-tool\.md/],
    ['docs/guides/write-a-tool.md', 'writing one', /export default/],
    ['docs/guides/write-a-tool.md', 'the limits', /timeoutMs/],
    ['packages/mcp-core/README.md', 'mounting the engine', /createMcpEndpoint/],
    ['packages/mcp-core/README.md', 'the contract with a host', /HostContext/],
    ['packages/mcp-core/README.md', 'the options', /sessionTtlMs/],
    ['docs/architecture.md', 'the way of a call', /## The way of a call/],
  ])('of %s explains %s (seed R5)', (page, _, words) => {
    expect(read(page)).toMatch(words);
  });
});
