package import CoreDataModelFormat

extension SourceText {
    /// Returns a warning about the first place of a source that compiles or works only on Apple's systems;
    /// nil if there is none.
    ///
    /// Such a place is an attribute of the Objective-C runtime, a key path or selector that the compiler
    /// would check, a cast of a request, or the import of a module or header that Linux lacks. Branches for
    /// other platforms are skipped.
    ///
    /// - Parameter dependencies: The modules that the source's module depends on, which may have the names of
    ///   Apple's modules.
    package func unportedUse(besides dependencies: [String]) -> Diagnostic? {
        guard var cursor = try? TokenCursor(self) else { return nil }
        let modules = ForeignNames.modulesReexportingFoundation(besides: dependencies)
        var conditions = ConditionStack()
        while !cursor.isAtEnd {
            if cursor.is("#if") || cursor.endsClause {
                conditions.take(&cursor)
            } else if conditions.areMet, cursor.isUnported || cursor.isImport(of: modules) {
                let position = cursor.position(of: cursor.peek())
                return Diagnostic(
                    .warning,
                    "this does not compile, or fails, on Linux: use CoreDataOverlayPlugin in the place of CoreDataPlugin, "
                        + "which ports it when the target is built, or port the source by "
                        + "`swift package port-core-data`",
                    file: position.file, line: position.line, column: position.column)
            } else {
                cursor.advance()
            }
        }
        return nil
    }
}

/// The `#if` conditions around a place among tokens, and which of their branches are compiled.
private struct ConditionStack {
    private struct Level {
        /// Whether the branch may be compiled.
        var isMet: Bool
        /// Whether an earlier branch is compiled.
        var isDecided: Bool
    }

    private var levels: [Level] = []

    var areMet: Bool { levels.allSatisfy(\.isMet) }

    /// Reads a directive with its condition.
    mutating func take(_ cursor: inout TokenCursor) {
        if cursor.take("#endif") {
            _ = levels.popLast()
            return
        }
        let isDecided = cursor.is("#if") ? false : levels.popLast()?.isDecided ?? false
        let value = cursor.readCondition().map(ConditionEvaluator().value(of:)) ?? true
        levels.append(Level(isMet: !isDecided && value != false, isDecided: isDecided || value == true))
    }
}

extension TokenCursor {
    fileprivate var isUnported: Bool {
        if self.is("@") { return name(at: 1).map(ForeignNames.attributes.contains) ?? false }
        if isAny(of: ["#keyPath", "#selector"]) { return true }
        guard let name = name() else { return false }
        switch name {
        case "as": return isCastOfRequest
        case "Foundation":
            return self.is(".", at: 1) && self.name(at: 2).map(ForeignNames.unqualified.contains) ?? false
        default:
            return self.is("?", at: 1) && self.is("(", at: 2)
                && ForeignNames.isOptionalRequirement(name, labels: argumentLabels(at: 2))
        }
    }

    /// Whether the next tokens are a cast to a request type that fails on Linux. A cast of a class's own
    /// request, `P.fetchRequest() as! NSFetchRequest<P>`, succeeds.
    private var isCastOfRequest: Bool {
        guard self.is("!", at: 1) || self.is("?", at: 1), self.is("NSFetchRequest", at: 2),
            self.is("<", at: 3)
        else { return false }
        let isOwn =
            index >= 5 && isCall(of: "fetchRequest", at: -4) && self.name(at: -5) == self.name(at: 4)
            && self.is(">", at: 5)
        return !isOwn
    }

    /// Returns whether the tokens at an offset are `.name()`.
    private func isCall(of name: String, at offset: Int) -> Bool {
        self.is(".", at: offset) && self.is(name, at: offset + 1) && self.is("(", at: offset + 2)
            && self.is(")", at: offset + 3)
    }

    /// Returns whether the next tokens import one of these modules, or a header of a module that has headers.
    fileprivate func isImport(of modules: Set<String>) -> Bool {
        guard self.is("import"), let module = name(at: 1) else { return false }
        return self.is(".", at: 2)
            ? ForeignNames.modulesWithHeaders.contains(module) : modules.contains(module)
    }

    /// Returns the argument labels of the call whose opening parenthesis is at an offset; nil for an argument
    /// without a label.
    private func argumentLabels(at offset: Int) -> [String?] {
        var rest = self
        rest.advance(offset)
        var labels: [String?] = []
        repeat {
            rest.advance()
            labels.append(rest.is(":", at: 1) ? rest.name() : nil)
            while !rest.isAtEnd, !rest.is(","), !rest.is(")") {
                guard rest.is("(") || rest.is("[") || rest.is("{") else {
                    rest.advance()
                    continue
                }
                guard (try? rest.skipBrackets()) != nil else { return labels }
            }
        } while rest.is(",")
        return labels
    }
}
