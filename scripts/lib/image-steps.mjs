// Runs the steps of a Dockerfile in plain folders, one a stage, where no container engine is: a file that a step misses,
// or a step that fails, shows as it would there. Base images are empty: the machine's own programs do the steps.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { Stop } from './paths.mjs';

/**
 * Runs what `target` needs of the stages, in order.
 * @param done stages that were run before, by name; filled further
 * @returns `{root, folder, env, user, command}`: the image's root as a folder, its working folder, and how it starts
 */
export function runStage({ stages, target, context, ignored, scratch, done = new Map(), say = () => {} }) {
  const known = done.get(target);
  if (known !== undefined) return known;
  const stage = stages.find(({ name }) => name === target);
  if (stage === undefined) throw new Stop(`the Dockerfile has no stage ${target}`);
  const needed = (name) => runStage({ stages, target: name, context, ignored, scratch, done, say });
  const root = join(scratch, target);
  mkdirSync(root, { recursive: true });
  const image = { root, folder: root, env: {}, user: 'root', command: undefined };
  if (stages.some(({ name }) => name === stage.base)) {
    const base = needed(stage.base);
    copy(base.root, root);
    Object.assign(image, { folder: join(root, relative(base.root, base.folder)), env: { ...base.env } });
  }
  for (const step of stage.steps) {
    if (step.instruction === 'COPY' || step.instruction === 'RUN') {
      say(`${target}: ${step.instruction} ${step.text ?? [...step.sources, step.target].join(' ')}`);
    }
    runStep(step, image, { context, ignored, needed });
  }
  done.set(target, image);
  return image;
}

function runStep(step, image, { context, ignored, needed }) {
  const inside = (path) => join(posix.isAbsolute(path) ? image.root : image.folder, path);
  switch (step.instruction) {
    case 'WORKDIR':
      image.folder = inside(step.text);
      mkdirSync(image.folder, { recursive: true });
      return;
    case 'ENV':
      Object.assign(image.env, step.values);
      return;
    case 'USER':
      image.user = step.text;
      return;
    case 'CMD':
      image.command = step.words;
      return;
    case 'COPY': {
      const from = step.from === undefined ? undefined : needed(step.from);
      for (const source of step.sources) {
        const path = from === undefined ? join(context, source) : join(from.root, source);
        const keepsOut = from === undefined ? (each) => ignored(relative(context, each)) : () => false;
        place(path, inside(step.target), { intoFolder: /\/$/.test(step.target), keepsOut, line: step.line });
      }
      return;
    }
    case 'RUN':
      return shell(step, image);
  }
}

/** As COPY does: of a folder what is in it, of a file the file. */
function place(source, target, { intoFolder, keepsOut, line }) {
  if (!existsSync(source) || keepsOut(source)) {
    throw new Stop(`Dockerfile, line ${line}: ${source} is not there, or .dockerignore keeps it out`);
  }
  const isFolder = lstatSync(source).isDirectory();
  const to = !isFolder && intoFolder ? join(target, basename(source)) : target;
  mkdirSync(isFolder ? to : dirname(to), { recursive: true });
  copy(source, to, (path) => path === source || !keepsOut(path));
}

function copy(source, target, filter = () => true) {
  cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter });
}

/** With nothing of this machine's environment but the way to its programs and registry. */
function shell({ text, line }, image) {
  const passed = ['PATH', 'HOME', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS'];
  const own = Object.entries(process.env).filter(
    ([name]) => passed.includes(name) || /^npm_config_(registry|cache)$/i.test(name),
  );
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', text], {
    cwd: image.folder,
    env: { ...Object.fromEntries(own), ...image.env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Stop(`Dockerfile, line ${line}: ${text}: status ${status}\n${`${stdout}${stderr}`.slice(-4_000)}`);
}

/** Every file below a folder, as paths from it; links are not followed. */
export function* filesBelow(folder, from = folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, from);
    else yield relative(from, path);
  }
}

/** What the files below a folder take, in bytes. */
export function sizeOf(folder) {
  let bytes = 0;
  for (const path of filesBelow(folder)) bytes += lstatSync(join(folder, path)).size;
  return bytes;
}
