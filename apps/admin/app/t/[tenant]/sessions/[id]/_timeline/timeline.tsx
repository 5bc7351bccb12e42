'use client';
import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { cn } from '@/components/cn';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';
import { type Mark, type PlacedMark, pan, placeMarks, type Span, ticks, zoom } from './layout';

const text = t.sessions.timeline;
const rowPx = 11;
const lanePadPx = 8;
const axisPx = 22;

const keys = new Map<string, (view: Span) => Span>([
  ['ArrowLeft', (view) => pan(view, -0.25)],
  ['ArrowRight', (view) => pan(view, 0.25)],
  ['+', (view) => zoom(view, 0.5)],
  ['=', (view) => zoom(view, 0.5)],
  ['-', (view) => zoom(view, 2)],
]);

interface TimelineProps {
  marks: readonly Mark[];
  lanes: readonly { id: string; label: string }[];
  view: Span;
  now: number;
  /** True while `view` is a choice of the reader and not simply all there is. */
  narrowed: boolean;
  onView: (view: Span | undefined) => void;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/**
 * Lanes of messages over time. Dragging chooses a range, which also filters the table below; arrows pan, + and − zoom.
 * Its table twin tells the same to whoever does not see it.
 */
export function Timeline({ marks, lanes, view, now, narrowed, onView, selected, onSelect }: TimelineProps) {
  const [box, width] = useWidth();
  const [brush, setBrush] = useState<Span>();
  const laneIds = useMemo(() => lanes.map(({ id }) => id), [lanes]);
  const placed = useMemo(() => placeMarks(marks, laneIds, view, width, now), [marks, laneIds, view, width, now]);
  const heights = placed.map(({ rows }) => rows * rowPx + lanePadPx);
  const tops = heights.map((_, at) => heights.slice(0, at).reduce((sum, height) => sum + height, 0));
  const height = heights.reduce((sum, one) => sum + one, 0);

  const timeAt = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
    return view.from + part * (view.to - view.from);
  };
  const xOf = (at: number) => ((at - view.from) / Math.max(1, view.to - view.from)) * width;
  function move(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && narrowed) onView(undefined);
    else if (keys.has(event.key)) onView(keys.get(event.key)?.(view));
    else return;
    event.preventDefault();
  }
  function endBrush() {
    if (brush && Math.abs(xOf(brush.to) - xOf(brush.from)) > 4) {
      onView({ from: Math.min(brush.from, brush.to), to: Math.max(brush.from, brush.to) });
    }
    setBrush(undefined);
  }

  return (
    <section aria-label={text.title} className="rounded-lg border bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-1.5 pr-2 pl-4">
        <h2 className="flex-1 font-semibold text-sm">{text.title}</h2>
        <p className="hidden text-muted text-xs md:block">{text.help}</p>
        <div className="flex items-center">
          <Tool label={text.earlier} onClick={() => onView(pan(view, -0.25))} icon={<ChevronLeft />} />
          <Tool label={text.later} onClick={() => onView(pan(view, 0.25))} icon={<ChevronRight />} />
          <Tool label={text.zoomOut} onClick={() => onView(zoom(view, 2))} icon={<ZoomOut />} />
          <Tool label={text.zoomIn} onClick={() => onView(zoom(view, 0.5))} icon={<ZoomIn />} />
          <Tool label={text.whole} onClick={() => onView(undefined)} icon={<Maximize2 />} disabled={!narrowed} />
        </div>
      </header>
      <div className="flex">
        <ol className="w-24 shrink-0 border-r text-2xs text-muted sm:w-36" aria-label={text.lanes}>
          {lanes.map(({ id, label }, at) => (
            <li
              key={id}
              className="flex items-center truncate border-b px-2 last:border-b-0 sm:px-4"
              style={{ height: heights[at] }}
            >
              {label}
            </li>
          ))}
        </ol>
        <div
          ref={box}
          role="application"
          aria-label={text.drawing(marks.length)}
          aria-describedby="timeline-keys"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and + − move what it shows
          tabIndex={0}
          className="relative min-w-0 flex-1 cursor-crosshair touch-pan-y select-none overflow-hidden"
          onKeyDown={move}
          onPointerDown={(event) => {
            if (event.button !== 0 || event.pointerType === 'touch') return;
            event.currentTarget.setPointerCapture(event.pointerId);
            const at = timeAt(event);
            setBrush({ from: at, to: at });
          }}
          onPointerMove={(event) => {
            if (!brush) return;
            // React clears the event before the updater runs.
            const to = timeAt(event);
            setBrush((before) => before && { ...before, to });
          }}
          onPointerUp={(event) => {
            const small = !brush || Math.abs(xOf(brush.to) - xOf(brush.from)) <= 4;
            const { left, top } = event.currentTarget.getBoundingClientRect();
            const hit = small && markAt(placed, tops, event.clientX - left, event.clientY - top);
            if (hit) onSelect(hit.mark.id);
            endBrush();
          }}
          onPointerCancel={() => setBrush(undefined)}
        >
          <svg width={width} height={height + axisPx} aria-hidden="true" className="block">
            <Axis view={view} width={width} top={height} />
            {placed.map((lane, at) => (
              <g key={lane.lane} transform={`translate(0 ${tops[at]})`}>
                <line x1={0} x2={width} y1={heights[at]} y2={heights[at]} stroke="var(--line)" />
                {lane.marks.map((item) => (
                  <Bar key={item.mark.id} item={item} selected={item.mark.id === selected} />
                ))}
              </g>
            ))}
            {brush && (
              <rect
                x={Math.min(xOf(brush.from), xOf(brush.to))}
                width={Math.abs(xOf(brush.to) - xOf(brush.from))}
                y={0}
                height={height}
                fill="var(--accent)"
                opacity={0.15}
              />
            )}
          </svg>
        </div>
      </div>
      <p id="timeline-keys" className="sr-only">
        {text.keys}
      </p>
    </section>
  );
}

function markAt(
  lanes: ReturnType<typeof placeMarks>,
  tops: readonly number[],
  x: number,
  y: number,
): PlacedMark | undefined {
  const lane = tops.findLastIndex((top) => y >= top);
  const row = Math.floor((y - (tops[lane] ?? 0) - lanePadPx / 2) / rowPx);
  return lanes[lane]?.marks.findLast((item) => item.row === row && x >= item.x - 2 && x <= item.x + item.width + 2);
}

function Bar({ item, selected }: { item: PlacedMark; selected: boolean }) {
  const { mark, row, x, width } = item;
  const open = mark.to === undefined;
  const point = mark.to === mark.from;
  return (
    <rect
      x={x}
      y={lanePadPx / 2 + row * rowPx + 1}
      width={width}
      height={rowPx - 2}
      rx={point ? (rowPx - 2) / 2 : 2}
      className={cn(mark.bad ? 'fill-danger' : open ? 'fill-info' : 'fill-accent-text', !selected && 'opacity-80')}
      stroke={selected ? 'var(--text)' : undefined}
      strokeWidth={selected ? 2 : undefined}
    >
      <title>{mark.label}</title>
    </rect>
  );
}

function Axis({ view, width, top }: { view: Span; width: number; top: number }) {
  const marks = ticks(view, Math.max(2, Math.floor(width / 110)));
  const fine = (marks[1] ?? 0) - (marks[0] ?? 0) < 1_000;
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(fine ? { fractionalSecondDigits: 3 as const } : {}),
  });
  return (
    <g transform={`translate(0 ${top})`} className="fill-muted" fontSize={10}>
      {marks.map((at) => {
        const x = ((at - view.from) / Math.max(1, view.to - view.from)) * width;
        return (
          <g key={at}>
            <line x1={x} x2={x} y1={-top} y2={4} stroke="var(--line)" />
            <text x={x} y={15} textAnchor={x < 40 ? 'start' : x > width - 40 ? 'end' : 'middle'}>
              {format.format(at)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Tool(props: { label: string; onClick: () => void; icon: React.ReactNode; disabled?: boolean }) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.icon}
    </Button>
  );
}

/** The width an element has, as it changes. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
