#if Studio
import Foundation
import Testing

/// A story of a user: the real tool on files of a scratch folder, in a real browser.
struct BrowserStory: Sendable {
    let folder: URL
    let studio: StudioProcess
    let page: BrowserPage

    /// Tells a story. If it fails, a screenshot and the page's console stay in the folder that
    /// `CORE_DATA_TEST_SCREENSHOTS` names, or in a temporary one.
    ///
    /// - Parameter prepare: Puts files into the folder, and returns the names of those that are opened, or URLs of
    ///   stores in a database.
    static func tell(
        _ name: String, _ arguments: [String] = [], prepare: (URL) async throws -> [String] = { _ in [] },
        _ story: (BrowserStory) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "studio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try await prepare(folder).map {
            $0.contains("://") ? $0 : folder.appendingPathComponent($0).path
        }
        defer { try? FileManager.default.removeItem(at: state(beside: folder)) }
        let studio = try StudioProcess(
            ["--root", folder.path] + arguments + files, state: state(beside: folder))
        defer { studio.end() }
        let driver = try await WebDriver()
        let told = BrowserStory(folder: folder, studio: studio, page: BrowserPage(driver: driver))
        do {
            try await told.page.open(studio.link())
            try await story(told)
        } catch {
            await told.report(name)
            await driver.quit()
            throw error
        }
        await driver.quit()
    }

    /// The folder of what the tool keeps about its user.
    var state: URL { Self.state(beside: folder) }

    static func state(beside folder: URL) -> URL { folder.appendingPathExtension("state") }

    /// Saves what was changed on the page, and waits until nothing is left to save.
    func save() async throws {
        try await page.type("{Ctrl+s}")
        try await seeSaved()
    }

    /// Waits until nothing is left to save: a notice of a former save may still be shown.
    func seeSaved() async throws {
        // While it saves, the button still tells how much there is to save.
        try await page.wait(
            "saved",
            until: """
                const button = document.querySelector("button.save");
                return button.disabled && button.querySelector(".badge") === null;
                """)
    }

    private func report(_ name: String) async {
        let place = Self.reports.appendingPathComponent(name.replacing(" ", with: "-"))
        try? FileManager.default.createDirectory(at: Self.reports, withIntermediateDirectories: true)
        try? await page.screenshot().write(to: place.appendingPathExtension("png"))
        let console = ((try? await page.console()) ?? []) + ["The tool:"] + studio.lines
        try? console.joined(separator: "\n").write(
            to: place.appendingPathExtension("log"), atomically: true, encoding: .utf8)
        print("Story \"\(name)\" failed: see \(place.path).png and .log\n\(console.joined(separator: "\n"))")
    }

    private static let reports: URL = {
        let named = ProcessInfo.processInfo.environment["CORE_DATA_TEST_SCREENSHOTS"]
        return named.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("studio-stories")
    }()

    /// Keeps a picture of the page for a person to look at, if a folder for that is named.
    func keepPicture(_ name: String) async throws {
        guard ProcessInfo.processInfo.environment["CORE_DATA_TEST_SCREENSHOTS"] != nil else { return }
        try FileManager.default.createDirectory(at: Self.reports, withIntermediateDirectories: true)
        try await page.screenshot().write(to: Self.reports.appendingPathComponent("\(name).png"))
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a suite of stories where they are asked for: one after the other, not beside thousands of other tests.
    static var inBrowser: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CORE_DATA_TEST_STORIES"] != nil,
            "stories are told with CORE_DATA_TEST_STORIES=1, and need chromium and chromium-driver")
    }
}
#endif
