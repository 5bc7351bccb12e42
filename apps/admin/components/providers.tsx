'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ThemeProvider } from 'next-themes';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import { Toaster } from '@/components/ui/toast';
import { ApiError } from '@/lib/api/problem';

function createClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        // A refusal will not change by asking again; an absence may.
        retry: (count, error) => count < 2 && !(error instanceof ApiError && error.problem.status < 500),
        retryDelay: 500,
      },
    },
  });
}

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [client] = useState(createClient);
  // Read by the style singleton that dialogs use to lock scrolling.
  if (typeof window !== 'undefined') Object.assign(window, { __webpack_nonce__: nonce });
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <NuqsAdapter>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </NuqsAdapter>
      <Toaster />
    </ThemeProvider>
  );
}
