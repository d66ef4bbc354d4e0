package import CoreDataModelFormat

/// What one source needs before it compiles on Linux.
package struct FilePort: Sendable {
    package var source: SourceText
    package internal(set) var rewrites: [Rewrite] = []
    /// What cannot be ported, with the reason and the remedy.
    package internal(set) var refusals: [Diagnostic] = []
    /// Lines after the last.
    package internal(set) var additions: [String] = []
    /// The places of `@NSManaged` properties that are computed ones in the ported text.
    package internal(set) var computedProperties: Set<SourcePlace> = []

    package init(of source: SourceText) { self.source = source }

    package var isNeeded: Bool { !rewrites.isEmpty || !additions.isEmpty }

    /// The source as the compiler is to read it: every token that is not rewritten stands where it stood.
    package var text: String {
        OverlayText(of: source.text, rewrites, additions: additions).text
    }
}
