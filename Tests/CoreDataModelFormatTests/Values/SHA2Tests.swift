import CoreDataValues
import Foundation
import Testing

@Suite("SHA-2")
struct SHA2Tests {
    @Test(
        "SHA-256 gives the digests of the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(message: String, digest: String) {
        #expect(hexadecimal(SHA2.sha256(Data(message.utf8))) == digest)
    }

    @Test("SHA-512 gives the digests of the standard's examples")
    func sha512() {
        let abc =
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        #expect(hexadecimal(SHA2.sha512(Data("abc".utf8))) == abc)
    }

    @Test(
        "The padding of a message that fills its last block is another block",
        arguments: [55, 56, 63, 64, 65])
    func padding(length: Int) {
        let digests = [
            55: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
            56: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
            63: "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34",
            64: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
            65: "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0",
        ]
        #expect(hexadecimal(SHA2.sha256(Data(String(repeating: "a", count: length).utf8))) == digests[length])
    }

    private func hexadecimal(_ data: Data) -> String {
        data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
