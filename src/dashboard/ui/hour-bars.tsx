type HourBar = {
  readonly start: number;
  readonly count: number;
  /** The part of them that failed. */
  readonly failed: number;
};

const STEP = 4;
const HEIGHT = 24;
/** So that one among hundreds is seen. */
const LEAST = 3;

/** A bar for each hour, what failed at its foot. What is around it says the same in words. */
export function HourBars({ bars }: { bars: readonly HourBar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const heightOf = (count: number) => (count === 0 ? 0 : LEAST + (count / most) * (HEIGHT - LEAST));
  return (
    <svg width={bars.length * STEP} height={HEIGHT} aria-hidden="true" fill="currentColor">
      {bars.map(({ start, count, failed }, index) => {
        const [whole, part] = [
          Math.max(1, heightOf(count)),
          Math.min(heightOf(failed), heightOf(count)),
        ];
        const x = index * STEP;
        return (
          <g key={start}>
            <rect x={x} y={HEIGHT - whole} width={STEP - 1} height={whole} />
            {failed > 0 && (
              <rect x={x} y={HEIGHT - part} width={STEP - 1} height={part} className="fill-red" />
            )}
          </g>
        );
      })}
    </svg>
  );
}
