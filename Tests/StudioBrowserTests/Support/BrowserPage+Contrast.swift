#if Studio
import CoreDataJSON

extension BrowserPage {
    /// Returns the texts that can be seen and have too little contrast (WCAG 2.2, 1.4.3), with their ratio.
    func faintTexts() async throws -> JSONValue { try await evaluate(Self.faintTexts) }

    /// Returns the texts that have too little contrast now, or with dark colours, which stay.
    func faintTextsInBothColours() async throws -> [JSONValue] {
        let light = try await faintTexts()
        try await useDarkColours()
        return [light, try await faintTexts()]
    }

    private static let faintTexts = """
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 1;
        const pen = canvas.getContext("2d", { willReadFrequently: true });
        const parts = colour => {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = colour;
            pen.fillRect(0, 0, 1, 1);
            return [...pen.getImageData(0, 0, 1, 1).data];
        };
        const luminance = ([red, green, blue]) => [red, green, blue]
            .map(part => part / 255).map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
            .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
        const over = (top, ground) => top.slice(0, 3).map((part, index) =>
            part * top[3] / 255 + ground[index] * (1 - top[3] / 255));
        const groundOf = element => {
            if (element === null) return [255, 255, 255, 255];
            const style = getComputedStyle(element);
            const own = parts(style.backgroundColor);
            return own[3] === 255 ? own : [...over(own, groundOf(element.parentElement)), 255];
        };
        const boxes = new Map([...document.querySelectorAll(".node")].map(node => [node, node.querySelector(".box")]));
        const found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            const element = node.parentElement;
            if (node.data.trim() === "" || !element.checkVisibility({ opacityProperty: true })) continue;
            // What only underlines has no colour of its own.
            if (element.closest(".underlined, :disabled, [disabled], [aria-disabled=true], script, style, title, option")) continue;
            const inDrawing = element.closest("svg");
            const style = getComputedStyle(element);
            const box = boxes.get(element.closest(".node"));
            const ground = inDrawing
                ? (box ? [...over(parts(getComputedStyle(box).fill), groundOf(inDrawing.parentElement)), 255] : groundOf(inDrawing.parentElement))
                : groundOf(element);
            const text = over(parts(inDrawing ? style.fill : style.color), ground);
            const [one, other] = [luminance(text), luminance(ground)].sort((left, right) => right - left);
            const ratio = (one + 0.05) / (other + 0.05);
            if (ratio < 4.5) found.push(`${node.data.trim()} ${ratio.toFixed(2)}`);
        }
        return found;
        """
}
#endif
