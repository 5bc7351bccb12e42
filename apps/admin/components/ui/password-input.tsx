'use client';
import { type InputHTMLAttributes, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { t } from '@/strings';

/** A hidden value that its typist may look at. */
export function PasswordInput(props: InputHTMLAttributes<HTMLInputElement>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-14" spellCheck={false} autoCapitalize="off" />
      <Button
        variant="ghost"
        size="sm"
        className="absolute top-1 right-1 h-6"
        aria-pressed={shown}
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
      >
        {shown ? t.auth.hide : t.auth.show}
      </Button>
    </div>
  );
}
