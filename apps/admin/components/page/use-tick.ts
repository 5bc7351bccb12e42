'use client';
import { useEffect, useState } from 'react';

/** The time now, moved on every `ms` while `active`; 0 until the page has come to life. */
export function useTick(ms: number, active: boolean): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    setNow(Date.now());
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms, active]);
  return now;
}
