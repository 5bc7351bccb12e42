// Exits 0 when the address given answers 2xx within three seconds: images have no curl.
const response = await fetch(process.argv[2], { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
