/// The place of an element: its section, and its row in the section.
struct ResultPosition: Hashable, Comparable {
    var section: Int
    var row: Int

    static func < (left: ResultPosition, right: ResultPosition) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

/// An ordered list of elements in sections, as a value.
///
/// Elements are told apart by identity, and each occurs once. A list without sections has a single section
/// without a name, which may be empty; in a list with sections, no section is empty.
struct ResultList<Element: AnyObject> {
    struct Section {
        var name: String
        /// The elements, in order.
        var elements: [Element]
    }

    let isSectioned: Bool
    var sections: [Section]

    /// Makes a list without sections.
    init(_ elements: [Element]) {
        isSectioned = false
        sections = [Section(name: "", elements: elements)]
    }

    init(sections: [Section]) {
        isSectioned = true
        self.sections = sections
    }

    /// Makes a list that begins a section wherever the name changes.
    ///
    /// - Throws: `OutOfOrder`, with the index of an element whose section had ended before; any error of
    ///   `sectionName`.
    init(_ elements: [Element], sectionName: (Element) throws -> String) throws {
        isSectioned = true
        sections = []
        var seen: Set<String> = []
        var start = 0
        for (index, element) in elements.enumerated() {
            let name = try sectionName(element)
            if name == sections.last?.name { continue }
            guard seen.insert(name).inserted else { throw OutOfOrder(index: index, name: name) }
            if let last = sections.indices.last { sections[last].elements = Array(elements[start..<index]) }
            sections.append(Section(name: name, elements: []))
            start = index
        }
        if let last = sections.indices.last { sections[last].elements = Array(elements[start...]) }
    }

    struct OutOfOrder: Error {
        let index: Int
        let name: String
    }

    var count: Int { sections.reduce(0) { $0 + $1.elements.count } }

    /// All elements in order; free of cost if there is one section.
    var elements: [Element] { sections.count == 1 ? sections[0].elements : sections.flatMap(\.elements) }

    subscript(position: ResultPosition) -> Element { sections[position.section].elements[position.row] }

    func contains(_ position: ResultPosition) -> Bool {
        sections.indices.contains(position.section)
            && sections[position.section].elements.indices.contains(position.row)
    }

    // MARK: Looking

    /// Returns the place of an element.
    ///
    /// It compares addresses from the start, eight at a time.
    func position(of element: Element) -> ResultPosition? {
        let address = UInt(bitPattern: Unmanaged.passUnretained(element).toOpaque())
        for (index, section) in sections.enumerated() {
            if let row = section.elements.withUnsafeBytes({ Self.index(of: address, in: $0) }) {
                return ResultPosition(section: index, row: row)
            }
        }
        return nil
    }

    private static func index(of address: UInt, in bytes: UnsafeRawBufferPointer) -> Int? {
        let words = bytes.bindMemory(to: UInt.self)
        let wanted = SIMD8<UInt>(repeating: address)
        var start = 0
        while start + 8 <= words.count {
            let eight = bytes.loadUnaligned(fromByteOffset: start * 8, as: SIMD8<UInt>.self)
            if any(eight .== wanted) { break }
            start += 8
        }
        return words[start...].firstIndex(of: address)
    }

    /// An element that was searched for, with the number that the search had for it.
    struct Member {
        let position: ResultPosition
        let group: Int
    }

    /// Returns the elements that are keys of `groups`, in order, each with its group number.
    func members(among groups: [ObjectIdentifier: Int]) -> [Member] {
        var members: [Member] = []
        for (index, section) in sections.enumerated() {
            section.elements.withUnsafeBufferPointer { elements in
                for row in elements.indices {
                    guard let group = groups[ObjectIdentifier(elements[row])] else { continue }
                    members.append(Member(position: ResultPosition(section: index, row: row), group: group))
                }
            }
        }
        return members
    }

    /// Returns the places of elements: by one search each if they are few, otherwise in one pass.
    func positions(of elements: [Element]) -> [ObjectIdentifier: ResultPosition] {
        var result: [ObjectIdentifier: ResultPosition] = [:]
        if elements.count < 16 {
            for element in elements { result[ObjectIdentifier(element)] = position(of: element) }
            return result
        }
        let wanted = Set(elements.map(ObjectIdentifier.init))
        for (index, section) in sections.enumerated() {
            for (row, element) in section.elements.enumerated() {
                let id = ObjectIdentifier(element)
                if wanted.contains(id) { result[id] = ResultPosition(section: index, row: row) }
            }
        }
        return result
    }

    // MARK: Neighbours

    func position(before position: ResultPosition) -> ResultPosition? {
        if position.row > 0 { return ResultPosition(section: position.section, row: position.row - 1) }
        guard let section = sections[..<position.section].lastIndex(where: { !$0.elements.isEmpty }) else {
            return nil
        }
        return ResultPosition(section: section, row: sections[section].elements.count - 1)
    }

    func position(after position: ResultPosition) -> ResultPosition? {
        if position.row + 1 < sections[position.section].elements.count {
            return ResultPosition(section: position.section, row: position.row + 1)
        }
        let section = sections[(position.section + 1)...].firstIndex { !$0.elements.isEmpty }
        return section.map { ResultPosition(section: $0, row: 0) }
    }
}
