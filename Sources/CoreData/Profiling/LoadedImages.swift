import Foundation

/// The files of machine code that this process has loaded, from the system's list of its memory.
struct LoadedImages {
    private struct Region {
        let addresses: Range<UInt>
        let path: String
        /// The address of the beginning of the file.
        let base: UInt
    }

    private var regions: [Region] = []

    /// Returns the file at an address, and the place in it; nil for code of no file.
    mutating func place(of address: UInt) -> (path: String, offset: UInt)? {
        if let known = lookUp(address) { return known }
        // A library was loaded since.
        regions = Self.read()
        return lookUp(address)
    }

    private func lookUp(_ address: UInt) -> (path: String, offset: UInt)? {
        regions.first { $0.addresses.contains(address) }.map { ($0.path, address - $0.base) }
    }

    /// Reads lines such as `5581a0-5581b0 r-xp 00001000 08:01 42 /usr/bin/app`.
    private static func read() -> [Region] {
        guard let text = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return [] }
        var bases: [String: UInt] = [:]
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count == 6 else { return nil }
            let path = String(fields[5].drop { $0 == " " })
            guard path.hasPrefix("/") else { return nil }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, let offset = UInt(fields[2], radix: 16) else { return nil }
            if offset == 0, bases[path] == nil { bases[path] = bounds[0] }
            guard let base = bases[path], fields[1].contains("x") else { return nil }
            return Region(addresses: bounds[0]..<bounds[1], path: path, base: base)
        }
    }
}
