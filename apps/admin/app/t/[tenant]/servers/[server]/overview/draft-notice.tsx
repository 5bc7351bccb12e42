'use client';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { toast } from '@/components/ui/toast';
import { usePublish } from '@/data/servers/mutations';
import { changeInWords } from '@/lib/document-change';
import { t } from '@/strings';

const text = t.servers.server;

/** Says that clients see less than what is stored, and publishes it. */
export function DraftNotice({ tenant, server, mayPublish }: { tenant: string; server: string; mayPublish: boolean }) {
  const publish = usePublish(tenant, server);
  return (
    <>
      <Callout
        tone="warn"
        title={text.draft}
        actions={
          mayPublish && (
            <Button
              size="sm"
              disabled={publish.isPending}
              onClick={() =>
                publish.mutate(undefined, {
                  onSuccess: ({ revision, diff }) => toast({ text: text.published(revision, changeInWords(diff)) }),
                })
              }
            >
              {text.publish}
            </Button>
          )
        }
      >
        {text.draftText}
      </Callout>
      {publish.error && <ProblemCallout error={publish.error} title={text.publishFailed} />}
    </>
  );
}
