package import CoreData
import Foundation

/// A profile that was read: its events in the order of their beginnings, and the places that they were called from.
package struct RecordedProfile: Sendable {
    package let header: ProfileLine.Header
    package let events: [ProfileLine.Event]
    /// The number of times that the row cache had an object's values, by entity.
    package let hits: [String: Int]
    /// The calls of each stack, the innermost first.
    package let stacks: [Int: [CallPlace]]
    /// The number of lines at the end that are not whole, as a killed program leaves them: 0 or 1.
    package let brokenLineCount: Int

    /// How the first line begins.
    private static let beginning = Data(#"{"header":"#.utf8)

    /// Returns whether a file begins as a profile does.
    package static func isProfile(at url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: beginning.count)) == beginning
    }

    /// Reads a profile that `-com.apple.CoreData.Profile` or `ProfileFileURLKey` made.
    package init(at url: URL) throws {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw ToolError("\(url.path): \(error.localizedDescription)")
        }
        let decoder = JSONDecoder()
        var lines = data.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.popFirst(),
            let header = try? decoder.decode(ProfileLine.self, from: first).header
        else { throw ToolError("\(url.path) is no profile: its first line is no header of one") }
        guard header.format <= ProfileLine.Header.currentFormat else {
            throw ToolError(
                "\(url.path) has format \(header.format) of profiles, which a later version wrote; this one reads "
                    + "format \(ProfileLine.Header.currentFormat)")
        }
        self.header = header
        var events: [ProfileLine.Event] = []
        var hits: [String: Int] = [:]
        var images: [Int: String] = [:]
        var stacks: [Int: [CallPlace]] = [:]
        var texts: [Int: String] = [:]
        var brokenLineCount = 0
        for (index, text) in lines.enumerated() {
            let line: ProfileLine
            do {
                line = try decoder.decode(ProfileLine.self, from: text)
            } catch {
                guard index == lines.count - 1 else {
                    throw ToolError("\(url.path): line \(index + 2) is damaged")
                }
                brokenLineCount = 1
                break
            }
            if let event = line.event { events.append(event.resolved(by: texts)) }
            if let text = line.text { texts[text.number] = text.value }
            if let image = line.image { images[image.number] = image.path }
            if let counts = line.hits { hits.merge(counts, uniquingKeysWith: +) }
            if let stack = line.stack {
                stacks[stack.number] = stack.frames.compactMap { frame in
                    guard frame.count == 2, let path = images[Int(frame[0])] else { return nil }
                    return CallPlace(image: path, offset: frame[1])
                }
            }
        }
        self.events = events.sorted { $0.start < $1.start }
        self.hits = hits
        self.stacks = stacks
        self.brokenLineCount = brokenLineCount
    }
}

/// A place in a file of machine code.
package struct CallPlace: Sendable, Hashable {
    package let image: String
    package let offset: UInt
}
