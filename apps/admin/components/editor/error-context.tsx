'use client';
import type { PointedMessage } from '@gantry/contracts';
import { createContext, useContext } from 'react';
import { fieldError } from '@/lib/pointer';

const Errors = createContext<ReadonlyMap<string, PointedMessage[]>>(new Map());
export const ErrorProvider = Errors.Provider;

/** What the API said against the field of this pointer; deeper faults carry their own pointer. */
export function useFieldError(pointer: string): string | undefined {
  const own = useContext(Errors).get(pointer);
  if (!own) return undefined;
  const exact = fieldError(own, pointer);
  const deeper = own
    .filter((entry) => entry.path !== pointer)
    .map((entry) => `${entry.path.slice(pointer.length)}: ${entry.message}`);
  return [exact, ...deeper].filter(Boolean).join('; ');
}
