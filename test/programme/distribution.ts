/** Parts of the distribution that tests need beside Node. A test without one fails and names it. */
import { execFileSync } from 'node:child_process';

/** The first Python that has the module: `python3` may belong to the system or to a user. */
export function pythonWith(module: string): string {
  const found = ['python3', '/usr/bin/python3'].find((python) => {
    try {
      execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found;
  const remedy = 'apt-get install python3 python3-pytest';
  throw new Error(`LEFT OUT: python3 with the module ${module} is missing; run ${remedy}`);
}
