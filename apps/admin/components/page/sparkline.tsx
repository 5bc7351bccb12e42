interface SparklineProps {
  values: readonly number[];
  /** What the line says, in words. */
  label: string;
}

const width = 240;
const height = 36;

/** A small line of a few hundred points, its words beside it for those who do not see it. */
export function Sparkline({ values, label }: SparklineProps) {
  const low = Math.min(...values, 0);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * width;
    const y = height - 2 - ((value - low) / span) * (height - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="mt-1 block h-9 w-full text-accent-text"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
