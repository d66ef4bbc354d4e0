#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat

/// An import of the framework that a source lacks, and the place for it when the source is ported in place:
/// the offset of a line's start.
package struct MissingImport: Sendable, Hashable {
    package var offset: Int
    /// Whether the import has to be public, because the module's public declarations name something of the
    /// framework in a file with public imports.
    package var isPublic: Bool

    package var text: String { (isPublic ? "public " : "") + "import CoreData" }
}

/// The changes that one source needs before it compiles on Linux.
package struct FilePort: Sendable {
    package var source: SourceText
    package internal(set) var rewrites: [Rewrite] = []
    /// Errors for the places that cannot be ported, with reason and remedy.
    package internal(set) var refusals: [Diagnostic] = []
    /// Errors for the places that can only be ported in place.
    package internal(set) var overlayRefusals: [Diagnostic] = []
    /// Errors for the places that only the overlay can port.
    package internal(set) var inPlaceRefusals: [Diagnostic] = []
    /// Lines that follow the last line of the text in the overlay.
    package internal(set) var additions: [String] = []
    /// The methods that selectors refer to.
    package internal(set) var selectedMethods: [MethodReference] = []
    /// The overrides in extensions that their classes can declare instead, and those that move to classes of
    /// this file.
    package internal(set) var movedOverrides: [MovedOverride] = []
    package internal(set) var arrivingOverrides: [ArrivingOverride] = []
    /// The import of the framework that the file lacks.
    package internal(set) var missingImport: MissingImport?
    /// The positions of `@NSManaged` properties that become computed ones in the ported text.
    package internal(set) var computedProperties: Set<SourcePosition> = []

    package init(of source: SourceText) { self.source = source }

    package var isNeeded: Bool { !rewrites.isEmpty || !additions.isEmpty || missingImport != nil }

    private func line(of rewrite: Rewrite) -> Int {
        1 + source.text.utf8.prefix(rewrite.range.lowerBound).count { $0 == UInt8(ascii: "\n") }
    }

    /// Warnings for code that compiles everywhere but works only on Apple's systems unless the overlay
    /// rewrites it.
    package var warnings: [Diagnostic] {
        rewrites.compactMap { rewrite in
            guard case .retyping(let call) = rewrite.kind else { return nil }
            return Diagnostic(
                .warning,
                "a cast between types of requests fails on Linux: make the request with its type, or write \(call)) "
                    + "under #if !canImport(ObjectiveC)",
                file: source.path, line: line(of: rewrite))
        }
    }

    /// The source as the compiler reads it on Linux, with every token that is not rewritten in its old place.
    package var text: String {
        let lines = additions + (missingImport.map { [$0.text] } ?? [])
        return OverlayText(of: source.text, rewrites, additions: lines).text
    }

    /// The source as it compiles on Linux and on Apple's systems alike. Porting it again changes nothing.
    package var portableText: String { PortableText(of: self).text }
}
#endif
