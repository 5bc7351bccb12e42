import { toast } from '@/components/ui/toast';
import { signOut } from '@/data/auth/mutations';
import { problemOf } from '@/lib/api/problem';
import { closeLive } from '@/lib/live/tab';

/** Ends the session and leaves; a full load, so that nothing of it stays in memory. */
export async function leave(): Promise<void> {
  try {
    await signOut();
    closeLive();
    window.location.assign('/login');
  } catch (error) {
    toast({ tone: 'warn', text: problemOf(error).title });
  }
}
