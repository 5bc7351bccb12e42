/* What the demo's tools run and its resource shows. */

export const TEXT_STATISTICS = `export default async ({ text }) => {
  const words = text.split(/\\s+/).filter(Boolean);
  const sentences = text.split(/[.!?]+/).filter((part) => part.trim() !== '');
  return {
    characters: text.length,
    words: words.length,
    sentences: sentences.length,
    readingMinutes: Math.max(1, Math.round(words.length / 230)),
  };
};
`;

export const STOCKTAKE = `export default async ({ shelves, delayMs = 200 }, ctx) => {
  let items = 0;
  for (let shelf = 1; shelf <= shelves; shelf += 1) {
    await ctx.sleep(delayMs);
    items += 10 + ((shelf * 7) % 5);
    ctx.progress(shelf, shelves, \`Counted shelf \${shelf} of \${shelves}\`);
  }
  return \`Counted \${items} items on \${shelves} shelves.\`;
};
`;

export const SALES_REPORT = `export default async ({ months = 6 }, ctx) => {
  const lines = [];
  let sum = 0;
  for (let month = 1; month <= months; month += 1) {
    ctx.progress(month - 1, months, \`Adding up month \${month} of \${months}\`);
    await ctx.sleep(700);
    const sales = 1200 + ((month * 377) % 900);
    sum += sales;
    lines.push({ month, sales });
  }
  ctx.progress(months, months, 'Writing the report');
  return { months: lines, sum, mean: Math.round(sum / months) };
};
`;

export const COUNTER = `export default async ({ by = 1 }, ctx) => {
  if (!ctx.state) return 'This client has no session, so there is nothing to count in.';
  ctx.state.count = (ctx.state.count ?? 0) + by;
  return \`The counter of this session stands at \${ctx.state.count}.\`;
};
`;

export const WRAP_GIFT = `export default async ({ item }, ctx) => {
  const answer = await ctx.elicit('card', {
    message: \`What shall the card with the \${item} say?\`,
    requestedSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', title: 'Text of the card', maxLength: 200 },
        ribbon: { type: 'string', title: 'Ribbon', enum: ['red', 'blue', 'none'], default: 'red' },
      },
      required: ['text'],
    },
  });
  if (answer.action !== 'accept') return \`The \${item} is left unwrapped.\`;
  const { text, ribbon = 'red' } = answer.content;
  return \`Wrapped the \${item}, ribbon: \${ribbon}, card: "\${text}".\`;
};
`;

export const OPENING_HOURS = `# Opening hours

| day | hours |
|---|---|
| Monday to Friday | 9:00 to 18:00 |
| Saturday | 10:00 to 16:00 |
| Sunday | closed |
`;
