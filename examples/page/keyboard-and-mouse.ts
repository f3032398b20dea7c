// Keyboard and mouse: writes with shortcuts, then draws a square by hand. Everything goes to the page as trusted events.
import { Driver } from 'pagechauffeur';

const sketch = `<textarea rows="3"></textarea>
  <div id="canvas" style="width: 200px; height: 200px; border: 1px solid"></div>
  <script>
    window.corners = [];
    canvas.onmousedown = canvas.onmouseup = ({ type, offsetX, offsetY, shiftKey }) =>
      corners.push([type, offsetX, offsetY, shiftKey ? 'with Shift' : ''].join(' ').trim());
  </script>`;

await using driver = new Driver({ env: 'LOCAL', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(sketch);

const { keyboard, mouse } = page;
const text = page.locator('textarea');
await text.focus();
await keyboard.type('A square, drawn by hnad');
for (let back = 0; back < 3; back += 1) await keyboard.press('Backspace');
await keyboard.insertText('and');
// The shortcut of the machine that the browser runs on: Control+A here, Meta+A on macOS.
await keyboard.press('ControlOrMeta+A');
await keyboard.press('ArrowRight');
await keyboard.type('!');
console.log(await text.inputValue());

const box = await page.locator('#canvas').boundingBox();
const { x, y } = box ?? { x: 0, y: 0 };
await mouse.move(x + 50, y + 50);
await keyboard.down('Shift');
await mouse.down();
await mouse.move(x + 150, y + 50, { steps: 5 });
await mouse.move(x + 150, y + 150, { steps: 5 });
await mouse.up();
await keyboard.up('Shift');
console.log(await page.evaluate('corners.join(", ")'));
