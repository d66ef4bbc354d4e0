/// The objects of eight neighbouring keys, in a line of the cache.
struct KeyPage: Equatable {
    static let keyCount = 8
    /// How often the key of one is halved to get the number of the page.
    static let keyBits: Int64 = 3
    static let byteCount = keyCount * MemoryLayout<UnsafeRawPointer?>.stride

    let objects: UnsafeMutablePointer<UnsafeRawPointer?>

    var isEmpty: Bool {
        // From the end: keys mostly leave in their order.
        for index in (0..<Self.keyCount).reversed() where objects[index] != nil { return false }
        return true
    }
}

/// Hands out empty pages, of which many are allocated at once. Not thread-safe.
struct KeyPageSupply {
    private static let largestBlock = 1024

    /// Pages that were given back, each of which begins with the next.
    private var spare: UnsafeMutableRawPointer?
    /// The pages of the last block that were not used yet.
    private var rest: UnsafeMutableRawPointer?
    private var restCount = 0
    /// The last block, each of which begins with the one before, in the place of a page.
    private var block: UnsafeMutableRawPointer?
    private var blockCount = 2

    mutating func take() -> KeyPage {
        let memory: UnsafeMutableRawPointer
        if let page = spare {
            memory = page
            spare = page.load(as: UnsafeMutableRawPointer?.self)
        } else {
            if restCount == 0 { addBlock() }
            memory = rest!
            rest = memory + KeyPage.byteCount
            restCount -= 1
        }
        let objects = memory.bindMemory(to: UnsafeRawPointer?.self, capacity: KeyPage.keyCount)
        objects.initialize(repeating: nil, count: KeyPage.keyCount)
        return KeyPage(objects: objects)
    }

    mutating func giveBack(_ page: KeyPage) {
        let memory = UnsafeMutableRawPointer(page.objects)
        memory.storeBytes(of: spare, as: UnsafeMutableRawPointer?.self)
        spare = memory
    }

    private mutating func addBlock() {
        blockCount = min(blockCount * 2, Self.largestBlock)
        let next = UnsafeMutableRawPointer.allocate(
            byteCount: blockCount * KeyPage.byteCount, alignment: KeyPage.byteCount)
        next.storeBytes(of: block, as: UnsafeMutableRawPointer?.self)
        block = next
        rest = next + KeyPage.byteCount
        restCount = blockCount - 1
    }

    /// Frees all pages; none must be used afterwards, nor the supply.
    func deallocate() {
        var next = block
        while let block = next {
            next = block.load(as: UnsafeMutableRawPointer?.self)
            block.deallocate()
        }
    }
}
