package import Foundation

/// The names and lines of code of places in a program, which a symbolizer on this machine knows.
///
/// The program must lie where it ran, and be the same. Without a symbolizer, or names in the program, places are
/// shown as offsets.
package struct CallNames: Sendable {
    /// A function, and the line of code if the program has such notes.
    package struct Name: Sendable, Hashable {
        package let function: String
        package let file: String?
        package let line: Int?

        package var text: String {
            guard let file, let line else { return function }
            return "\(function) (\((file as NSString).lastPathComponent):\(line))"
        }
    }

    private let names: [CallPlace: Name]

    /// Looks up the places of stacks.
    package init(of profile: RecordedProfile, symbolizer: URL? = Self.symbolizer) {
        var names: [CallPlace: Name] = [:]
        if let symbolizer {
            let places = Set(profile.stacks.values.joined())
            for (image, places) in Dictionary(grouping: places, by: \.image) {
                let sorted = places.sorted { $0.offset < $1.offset }
                let found = (try? Self.ask(symbolizer, image, sorted.map(\.offset))) ?? []
                for (place, name) in zip(sorted, found) { names[place] = name }
            }
        }
        self.names = names
    }

    package subscript(_ place: CallPlace) -> Name? { names[place] }

    /// The first symbolizer in the folders of PATH.
    package static let symbolizer: URL? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        for name in ["llvm-symbolizer", "addr2line"] {
            for folder in folders {
                let path = "\(folder)/\(name)"
                if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
            }
        }
        return nil
    }()

    /// The number of places that one run of the symbolizer is asked about, as its arguments.
    private static let mostPlaces = 500

    /// Returns a name for each offset, nil for an unknown one.
    private static func ask(_ symbolizer: URL, _ image: String, _ offsets: [UInt]) throws -> [Name?] {
        guard FileManager.default.fileExists(atPath: image) else { return [] }
        let isLLVM = symbolizer.lastPathComponent.hasPrefix("llvm")
        let options =
            isLLVM
            ? ["--obj=\(image)", "--functions=linkage", "--inlining=false", "--output-style=GNU"]
            : ["-f", "-e", image]
        var names: [Name?] = []
        for start in stride(from: 0, to: offsets.count, by: mostPlaces) {
            let part = offsets[start..<min(start + mostPlaces, offsets.count)]
            let places = part.map { "0x\(String($0, radix: 16))" }
            // For each place a line with the function, and one with file and line number.
            let lines = try output(of: symbolizer, options + places).split(separator: "\n")
            guard lines.count == 2 * part.count else { return names }
            names += stride(from: 0, to: lines.count, by: 2).map { name(lines[$0], at: lines[$0 + 1]) }
        }
        return names
    }

    private static func output(of program: URL, _ arguments: [String]) throws -> String {
        let process = Process()
        (process.executableURL, process.arguments) = (program, arguments)
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    private static func name(_ symbol: Substring, at place: Substring) -> Name? {
        guard symbol != "??" else { return nil }
        let parts = place.split(separator: ":")
        let line = parts.count > 1 ? Int(parts[parts.count - 1].prefix { $0.isNumber }) : nil
        let file = parts.first.map(String.init)
        let isKnown = line.map { $0 > 0 } ?? false
        return Name(
            function: demangled(String(symbol)), file: isKnown ? file : nil, line: isKnown ? line : nil)
    }

    private static func demangled(_ symbol: String) -> String {
        guard symbol.hasPrefix("$s"),
            let text = symbol.withCString({ demangle($0, UInt(strlen($0)), nil, nil, 0) })
        else { return symbol }
        defer { free(text) }
        return String(cString: text)
    }
}

/// The Swift runtime's function, which returns memory that the caller frees.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: UInt, _ output: UnsafeMutablePointer<CChar>?,
    _ outputLength: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
