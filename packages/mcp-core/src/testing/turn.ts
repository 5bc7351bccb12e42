/** Resolves when this turn of the event loop is over, and with it what was held back until then. */
export function turnOver(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
